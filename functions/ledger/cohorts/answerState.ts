import { AnswerState } from '../../../schemas/attribution/attributionRecord.ts';
import { MIXED } from '../../../schemas/insight/reports.ts';
import type { Cohort } from './cohorts.ts';

/**
 * The state of the owner or the service of the calls of a cohort. The only place that reads it: reports, budgets, anomalies
 * and exports separate their sums by it. `mixed`: suppression hides it, so the calls can have any state.
 */
export const answerStateOf = (
  { labels }: Pick<Cohort, 'labels'>,
  member: 'owner' | 'service',
): AnswerState | typeof MIXED =>
  AnswerState.options.find((state) => state === labels[`${member}_state`]) ?? MIXED;
