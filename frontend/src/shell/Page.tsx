import { type ReactNode, useEffect, useRef } from "react";

let isFirstPage = true;

interface PageProps {
  title: string;
  children: ReactNode;
  /** What stands beside the heading. */
  aside?: ReactNode;
}

/** A page: its heading takes the focus when one has navigated to it. */
export function Page({ title, aside, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Durable State`;
  }, [title]);
  useEffect(() => {
    if (!isFirstPage) {
      heading.current?.focus();
    }
    isFirstPage = false;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </header>
      {children}
    </>
  );
}
