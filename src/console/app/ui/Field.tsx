import { type ComponentProps, type ReactNode, useId } from "react"

interface Labelled {
  readonly label: ReactNode
  readonly hint?: ReactNode
}

const Frame = ({ label, hint, id, children }: Labelled & { readonly id: string; readonly children: ReactNode }) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {children}
    {hint === undefined ? null : (
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </div>
)

/** A labelled line of text. */
export const TextField = ({ label, hint, ...props }: Labelled & ComponentProps<"input">) => {
  const id = useId()
  return (
    <Frame label={label} hint={hint} id={id}>
      <input dir="auto" {...props} id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} />
    </Frame>
  )
}

/** A labelled e-mail address; a browser refuses or rewrites one that is not all ASCII where it knows what it is. */
export const EmailField = (props: Labelled & ComponentProps<"input">) => (
  <TextField {...props} type="text" inputMode="email" autoCapitalize="off" spellCheck={false} />
)

/** A labelled text of several lines. */
export const TextArea = ({ label, hint, ...props }: Labelled & ComponentProps<"textarea">) => {
  const id = useId()
  return (
    <Frame label={label} hint={hint} id={id}>
      <textarea dir="auto" {...props} id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} />
    </Frame>
  )
}

/** A labelled choice among a few values. */
export const Select = ({ label, hint, ...props }: Labelled & ComponentProps<"select">) => {
  const id = useId()
  return (
    <Frame label={label} hint={hint} id={id}>
      <select {...props} id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} />
    </Frame>
  )
}

/** A few values of which one holds, all in sight. */
export const Segmented = <Value extends string>({
  label,
  value,
  options,
  onChange
}: {
  readonly label: string
  readonly value: Value
  readonly options: ReadonlyArray<readonly [value: Value, name: string]>
  readonly onChange: (value: Value) => void
}) => {
  const name = useId()
  return (
    <fieldset className="segmented">
      <legend className="hidden">{label}</legend>
      {options.map(([option, shown]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          <span>{shown}</span>
        </label>
      ))}
    </fieldset>
  )
}
