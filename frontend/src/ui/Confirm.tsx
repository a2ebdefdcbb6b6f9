import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Problem } from "../api/client";
import { ProblemNote } from "./Live";

interface ConfirmProps {
  title: string;
  /** The word on the button that does it. */
  action: string;
  children: ReactNode;
  /** Whether there is anything to do yet. */
  isReady?: boolean;
  run: () => Promise<void>;
  close: () => void;
}

/** Asks before something is done that cannot be undone, and shows why when it could not be done. */
export function Confirm({ title, action, children, isReady = true, run, close }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);

  async function confirm() {
    setRunning(true);
    setProblem(null);
    try {
      await run();
      dialog.current?.close();
    } catch (cause) {
      if (!(cause instanceof Problem)) {
        throw cause;
      }
      setProblem(cause);
    } finally {
      setRunning(false);
    }
  }

  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={close}>
      <h2 id={heading}>{title}</h2>
      {children}
      {problem && <ProblemNote problem={problem} />}
      <div className="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" className="danger" disabled={!isReady || isRunning} onClick={() => void confirm()}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
