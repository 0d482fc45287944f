import { AnswerState } from '../../../schemas/attribution/attributionRecord.ts';
import type { SpendByState } from '../../../schemas/insight/budgets.ts';
import { MIXED } from '../../../schemas/insight/reports.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { addDecimals } from '../../ledger/rollups/figures.ts';

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

/** The state of the owner of a cohort. Cohorts that hide it are `mixed`. */
export const ownerStateOf = ({ labels }: Pick<Cohort, 'labels'>): keyof SpendByState =>
  STATES.find((state) => state === labels.owner_state) ?? MIXED;
