import { expect, it } from 'vitest';
import { benchmarks, selectBenchmarks } from '../../bench/benchmarks.ts';

it('selects all benchmarks when no name is given', () => {
  expect(selectBenchmarks([])).toEqual(benchmarks);
});

it('selects benchmarks by name, in execution order', () => {
  const selected = selectBenchmarks(['exports', 'ingestion']);

  expect(selected.map(({ name }) => name)).toEqual(['ingestion', 'exports']);
});

it('lists the available names when a name is unknown', () => {
  expect(() => selectBenchmarks(['ingestion', 'no-such-name'])).toThrow(
    /^Unknown benchmark: no-such-name\. Available: local, ingestion-cpu, .*cold-start\.$/,
  );
});
