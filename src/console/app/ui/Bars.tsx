import { percent } from "../format.ts"

/** Probabilities as bars, in the order given; the chosen one stands out. */
export const Bars = ({
  shares,
  chosen,
  most
}: {
  readonly shares: ReadonlyArray<readonly [name: string, share: number]>
  readonly chosen?: string
  /** Shows only so many, the largest first. */
  readonly most?: number
}) => {
  const shown =
    most === undefined || shares.length <= most ? shares : [...shares].sort((a, b) => b[1] - a[1]).slice(0, most)
  return (
    <>
      <ul className="bars">
        {shown.map(([name, share]) => (
          <li key={name} className={name === chosen ? "chosen" : ""}>
            <span className="bar-name">{name}</span>
            <meter className="hidden" min={0} max={1} value={share} aria-label={name} />
            <svg className="bar" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 10">
              <rect className="bar-rest" width="100" height="10" />
              <rect className="bar-share" width={Math.max(0.5, share * 100)} height="10" />
            </svg>
            <span className="bar-number" title={String(share)}>
              {percent(share)}
            </span>
          </li>
        ))}
      </ul>
      {shown.length < shares.length ? (
        <p className="hint">and {shares.length - shown.length} more below these</p>
      ) : null}
    </>
  )
}
