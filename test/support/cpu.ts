/** Milliseconds of processor time that `run` takes, at best of three: other processes on the machine do not count. */
export const processorTime = (run: () => unknown): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage()
      run()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    })
  )
