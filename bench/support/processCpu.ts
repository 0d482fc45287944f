import { median } from './statistics.ts';

const ROUNDS = 5;

/** Runs `work`. Returns its result and the CPU seconds of this process, including helper threads. */
export const cpuSecondsOf = <Result>(
  work: () => Result,
): { readonly result: Result; readonly seconds: number } => {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
};

/** CPU microseconds per call of `work`: median over several rounds after a warm-up. `work` receives the call index. */
export const cpuMicrosOf = (calls: number, work: (index: number) => unknown): number => {
  const round = (): number =>
    (cpuSecondsOf(() => {
      for (let index = 0; index < calls; index += 1) work(index);
    }).seconds *
      1e6) /
    calls;
  round();
  return median(Array.from({ length: ROUNDS }, round));
};
