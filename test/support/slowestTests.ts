import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const LISTED = 20;
/** Faster tests are not worth a line. */
const SLOW_MS = 100;

/** Prints the slowest tests at the end of a run, with the time that each one took. */
export default class SlowestTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .flatMap((module) =>
        [...module.children.allTests()].map((test) => ({
          ms: test.diagnostic()?.duration ?? 0,
          name: `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`,
        })),
      )
      .filter(({ ms }) => ms >= SLOW_MS)
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, LISTED);
    if (slowest.length === 0) return;
    const lines = slowest.map(({ ms, name }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`);
    console.log(`\nSlowest tests:\n${lines.join('\n')}\n`);
  }
}
