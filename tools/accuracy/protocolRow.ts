import * as z from 'zod';
import { backtest } from '../evaluation/backtest.ts';
import { type Findings, findingsOf } from '../evaluation/findings.ts';
import { applyProtocol, PROTOCOLS } from '../evaluation/protocols.ts';
import { figuresOf } from '../evaluation/renderFindings.ts';
import { companyTrace } from './company.ts';

export const CALLS = 12_000;
export const SEEDS = [1, 2] as const;

/** One protocol, applied to one company. */
export const ProtocolRun = z.object({ protocol: z.string(), seed: z.int() });
export type ProtocolRun = z.infer<typeof ProtocolRun>;

const missedGoals = ({ goals }: Findings): string =>
  goals
    .filter(({ met }) => !met)
    .map(({ goal }) => goal)
    .join(', ');

/** The row of the table for a run. */
export const protocolRow = async ({ protocol: name, seed }: ProtocolRun): Promise<string> => {
  const protocol = PROTOCOLS.find((one) => one.name === name);
  if (protocol === undefined) throw new Error(`protocol ${name} is unknown`);
  const calls = applyProtocol(protocol, companyTrace(CALLS, seed), seed);
  const findings = findingsOf(protocol, await backtest(calls));
  return `| ${protocol.title} | ${seed} | ${figuresOf(findings).join(' | ')} | ${missedGoals(findings)} |`;
};
