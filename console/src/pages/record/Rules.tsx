import { Link } from 'wouter';
import type { AttributionDetail, Explanation } from '../../../../sdk/typescript/src/types.ts';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { Pill } from '../../components/Pill.tsx';
import type { Tone } from '../../components/tone.ts';
import { formatShare } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

type Rule = Explanation['rules'][number];

const outcomes: Readonly<
  Record<
    Exclude<Rule['outcome'], 'matched'>,
    { readonly icon: IconName; readonly tone: Tone; readonly text: string }
  >
> = {
  supporting: { icon: 'check', tone: 'accent', text: 'agrees' },
  conflicting: { icon: 'warn', tone: 'warn', text: 'disagrees' },
  absent: { icon: 'dash', tone: 'plain', text: 'no evidence' },
};

const MEMBERS = ['owner', 'service'] as const;

/** What the rule decided of the record as it is. A person can have overruled it since. */
const outcomeOf = (rule: Rule, record: AttributionDetail) => {
  if (rule.outcome !== 'matched') return outcomes[rule.outcome];
  const decided = MEMBERS.filter((member) => rule[member] !== undefined && rule[member] === record[member]);
  return decided.length === 0
    ? ({ icon: 'dash', tone: 'warn', text: 'overruled' } as const)
    : ({ icon: 'check', tone: 'good', text: `decided the ${decided.join(' and ')}` } as const);
};

/** The rules in the order in which they were tried, with what each of them found. */
export const Rules = ({ record }: { record: AttributionDetail }) => (
  <ol className="ladder">
    {record.explanation.rules.map((one) => {
      const { rule, mapping, saw, outcome, owner, service, confidence } = one;
      const { icon, tone, text } = outcomeOf(one, record);
      const seen = Object.entries(saw);
      return (
        <li key={`${rule}${mapping?.id ?? ''}`} className={outcome}>
          <span className="step">
            <Icon name={icon} size={14} />
          </span>
          <div>
            <div className="line">
              <strong>{wordFor(rule)}</strong>
              <Pill tone={tone}>{text}</Pill>
            </div>
            {seen.length > 0 && (
              <span className="sub">
                {seen.map(([name, value]) => (
                  <span key={name} className="saw">
                    {name.replaceAll('_', ' ')} <code>{value}</code>
                  </span>
                ))}
              </span>
            )}
            {mapping !== undefined && (
              <span className="sub">
                Mapping <Link href="/identity">{mapping.name}</Link>
              </span>
            )}
            {(owner !== undefined || service !== undefined) && (
              <span className="sub">
                {[owner, service].filter((part) => part !== undefined).join(' · ')}, confidence{' '}
                {formatShare(confidence)}
              </span>
            )}
          </div>
        </li>
      );
    })}
  </ol>
);
