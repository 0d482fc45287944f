import { AnswerState } from '../../../../schemas/attribution/attributionRecord.ts';
import type { SpendByState } from '../../../../schemas/insight/budgets.ts';
import { MIXED } from '../../../../schemas/insight/reports.ts';
import { addDecimals } from '../../../platform/shared/decimal.ts';

const STATES = [...AnswerState.options, MIXED] as const;

export const addToState = (parts: SpendByState, state: keyof SpendByState, spent: string): SpendByState => ({
  ...parts,
  [state]: addDecimals(parts[state] ?? '0', spent),
});

export const sumByState = (one: SpendByState, other: SpendByState): SpendByState =>
  STATES.reduce((sum, state) => {
    const spent = other[state];
    return spent === undefined ? sum : addToState(sum, state, spent);
  }, one);
