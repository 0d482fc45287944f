import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { HEADER, rowsOf } from './traces.ts';

const folder = mkdtempSync(join(tmpdir(), 'evaluate-'));
const trace = join(folder, 'trace.csv');

const evaluate = (...args: string[]) =>
  spawnSync(process.execPath, ['bin/evaluate.ts', ...args], { encoding: 'utf8' });

beforeAll(() => writeFileSync(trace, [HEADER, ...rowsOf(3_000, 8)].join('\n')));
afterAll(() => rmSync(folder, { recursive: true }));

const Report = z.object({
  calls: z.int(),
  services: z.int(),
  findings: z.array(
    z.object({
      protocol: z.string(),
      model: z.object({ accuracy: z.number() }),
      served: z.object({ accuracy: z.number(), coverage: z.number() }),
      trainings: z.object({ trained: z.int(), passed: z.int() }),
      periods: z.array(z.object({ trained: z.int(), passed: z.int() })).length(8),
      goals: z.array(z.unknown()),
    }),
  ),
});

describe('bin/evaluate.ts', () => {
  it('evaluates all protocols and writes one diagram per protocol', () => {
    const { stdout, status } = evaluate(trace, '--json', '--svg', join(folder, 'svg'), '--seed', '2');

    const report = Report.parse(JSON.parse(stdout));
    expect(status).toBe(0);
    expect(report).toMatchObject({ calls: 3_000, services: 8 });
    expect(report.findings.map(({ protocol }) => protocol)).toEqual([
      'half',
      'tenth',
      'uneven',
      'unregistered',
    ]);
    expect(report.findings[0]?.model.accuracy).toBeGreaterThan(0.9);
    expect(readdirSync(join(folder, 'svg'))).toHaveLength(4);
  });

  it('prints tables with the result of each goal', () => {
    const { stdout } = evaluate(trace);

    expect(stdout).toContain('Half of the calls labelled');
    expect(stdout).toMatch(/heuristic +as trained +as served/);
    expect(stdout).toMatch(/gate: \d+ of \d+ trainings passed/);
    expect(stdout).toMatch(/met {5}precision at \.80, as served: [01]\.\d{4}, at least 0\.95/);
  });

  it.each([
    [[], 2, 'Name the file to evaluate.'],
    [['a', 'b'], 2, 'Only one file'],
    [['a', '--seed', 'x'], 2, '--seed must be a whole number'],
    [['a', '--unknown'], 2, 'unknown'],
    [[join(folder, 'missing.csv')], 1, 'no such file'],
  ])('exits with an error message for the arguments %j', (args, code, message) => {
    const { status, stderr } = evaluate(...args);

    expect(status).toBe(code);
    expect(stderr).toContain(message);
  });
});
