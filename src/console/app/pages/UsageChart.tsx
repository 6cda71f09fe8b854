import { useEffect, useRef } from "react"
import uPlot from "uplot"
import { dayOf } from "../format.ts"
import { useShownTheme } from "../theme.ts"
import "uplot/dist/uPlot.min.css"

const height = 240

/** There is no part of a decision, and none of a micro. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** A number per day as bars; what it shows also stands in the table beside it. */
export const UsageChart = ({
  dates,
  values,
  label,
  format
}: {
  readonly dates: ReadonlyArray<string>
  readonly values: ReadonlyArray<number>
  readonly label: string
  readonly format: (value: number) => string
}) => {
  const frame = useRef<HTMLDivElement>(null)
  const theme = useShownTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a theme has other colours, which the canvas takes when it is drawn
  useEffect(() => {
    const place = frame.current
    if (place === null) return
    const bars = uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.15 })
    const axis = { stroke: color("--muted"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } }
    const chart = new uPlot(
      {
        width: place.clientWidth,
        height,
        padding: [12, 8, 0, 0],
        cursor: { y: false, points: { show: false } },
        legend: { show: false },
        scales: {
          x: { time: false, range: (_, min, max) => [min - 0.5, max + 0.5] },
          y: { range: (_, __, max) => [0, max <= 0 ? 1 : max * 1.1] }
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            space: 64,
            incrs: [1, 2, 5, 7, 14, 30],
            values: (_, places) => places.map((at) => (dates[at] === undefined ? "" : dayOf(dates[at])))
          },
          {
            ...axis,
            incrs: wholeSteps,
            size: (_, shown) => 16 + 7.5 * Math.max(0, ...(shown ?? []).map((text) => text.length)),
            values: (_, places) => places.map(format)
          }
        ],
        series: [
          {},
          {
            label,
            ...(bars === undefined ? {} : { paths: bars }),
            fill: color("--accent"),
            stroke: color("--accent"),
            width: 0,
            points: { show: false }
          }
        ]
      },
      [dates.map((_, i) => i), [...values]],
      place
    )
    const observer = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height }))
    observer.observe(place)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [dates, values, label, format, theme])
  return (
    <div
      ref={frame}
      className="chart"
      role="img"
      aria-label={`${label} per day, as in the table below`}
      data-largest={Math.max(0, ...values)}
    />
  )
}

export default UsageChart
