import type { AttributionRecord } from '../../../../sdk/typescript/src/types.ts';

type Answer = AttributionRecord['interpretation']['answers']['owner'];

interface Verdict {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'accent' | 'plain';
}

const verdicts: Readonly<Record<Answer['chargeback'], (who: string) => Verdict>> = {
  ready: (who) => ({ text: `Ready to charge to the ${who}`, tone: 'good' }),
  unpriced: () => ({ text: 'Not charged: unknown price', tone: 'warn' }),
  below_floor: (who) => ({ text: `Not charged: ${who} not sure enough`, tone: 'accent' }),
  unassigned: (who) => ({ text: `Not charged: no ${who}`, tone: 'plain' }),
  residency_excluded: () => ({ text: 'Not charged: another lane', tone: 'warn' }),
};

/** What an answer is worth for a chargeback. It says for whom, because owner and service are charged apart. */
export const verdictOf = ({ chargeback, state }: Answer, who: 'owner' | 'service'): Verdict =>
  state === 'allocated' ? { text: 'Divided among owners', tone: 'plain' } : verdicts[chargeback](who);
