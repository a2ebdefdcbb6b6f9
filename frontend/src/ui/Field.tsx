import { type ReactNode, useEffect, useId, useState } from "react";

const PAUSE_MILLIS = 300;

interface TextFieldProps {
  label: string;
  value: string;
  change: (value: string) => void;
  isSearch?: boolean;
  isNumber?: boolean;
  placeholder?: string;
}

/** A text that takes effect when its writer pauses. */
export function TextField({ label, value, change, isSearch = false, isNumber = false, placeholder }: TextFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) {
      return;
    }
    const timer = setTimeout(() => change(text), PAUSE_MILLIS);
    return () => clearTimeout(timer);
  }, [text, value, change]);
  return (
    <Labelled id={id} label={label}>
      <input
        id={id}
        type={isSearch ? "search" : "text"}
        inputMode={isNumber ? "numeric" : undefined}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
    </Labelled>
  );
}

interface SelectFieldProps {
  label: string;
  value: string;
  change: (value: string) => void;
  /** Values and what they are called. */
  options: readonly (readonly [string, string])[];
}

export function SelectField({ label, value, change, options }: SelectFieldProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <select id={id} value={value} onChange={(event) => change(event.target.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function Labelled({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}

export const YES_OR_NO = [
  ["", "any"],
  ["true", "yes"],
  ["false", "no"],
] as const;
