import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
      coverage: z.object({ calls: z.number(), money: z.number() }),
      trainings: z.object({ trained: z.int(), passed: z.int() }),
      goals: z.array(z.unknown()),
    }),
  ),
});

describe('bin/evaluate.ts', () => {
  it('evaluates the requested protocols', () => {
    const { stdout, status } = evaluate(
      trace,
      '--json',
      '--seed',
      '2',
      '--protocol',
      'half',
      '--protocol',
      'key-4',
    );

    const report = Report.parse(JSON.parse(stdout));
    expect(status).toBe(0);
    expect(report).toMatchObject({ calls: 3_000, services: 8 });
    expect(report.findings.map(({ protocol }) => protocol)).toEqual(['key-4', 'half']);
    expect(report.findings[0]?.coverage.money).toBeGreaterThan(0.7);
  });

  it('prints the figures and the result of each goal', () => {
    const { stdout } = evaluate(trace, '--protocol', 'whole');

    expect(stdout).toContain('Two fifths of the services never label');
    expect(stdout).toMatch(/coverage, money +[01]\.\d{3}/);
    expect(stdout).toMatch(/gate: \d+ of \d+ trainings passed/);
    expect(stdout).toMatch(/met {5}money charged to a wrong owner: 0\.\d{3}, at most 0\.005/);
  });

  it.each([
    [[], 2, 'Name the file to evaluate.'],
    [['a', 'b'], 2, 'Only one file'],
    [['a', '--seed', 'x'], 2, '--seed must be a whole number'],
    [['a', '--unknown'], 2, 'unknown'],
    [['a', '--protocol', 'none'], 2, '--protocol none is unknown'],
    [[join(folder, 'missing.csv')], 1, 'no such file'],
  ])('exits with an error message for the arguments %j', (args, code, message) => {
    const { status, stderr } = evaluate(...args);

    expect(status).toBe(code);
    expect(stderr).toContain(message);
  });
});
