import type { ReactNode } from "react";

/** What a column is called; one of numbers has its name where they end. */
export type Column = string | { number: string };

interface TableProps {
  /** What the table shows, for those who do not see it. */
  label: string;
  columns: Column[];
  children: ReactNode;
}

/** A table that scrolls in its own box where the page is narrow. */
export function Table({ label, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => {
              const name = typeof column === "string" ? column : column.number;
              return (
                <th key={name} scope="col" className={typeof column === "string" ? undefined : "number"}>
                  {name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
