import type { AttributionDetail } from '../../../../sdk/typescript/src/types.ts';
import { Moment } from '../../components/Moment.tsx';
import { formatMoment } from '../../format/time.ts';

interface Entry {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  readonly text: string;
}

const named = (owner: string | null, service: string | null): string =>
  [owner ?? 'nobody', service ?? 'no service'].join(' · ');

/** What happened to the record, newest first. */
export const historyOf = (record: AttributionDetail): Entry[] => {
  const { dispute, explanation } = record;
  const overrides = (explanation.overrides ?? []).map(
    ({ id, at, by, reason, owner, service, previous }): Entry => ({
      key: id,
      at,
      title: `Overridden: ${named(previous.owner, previous.service)} became ${named(owner, service)}`,
      text: `${reason} · by ${by}`,
    }),
  );
  const disputes: Entry[] =
    dispute === undefined
      ? []
      : [
          {
            key: dispute.id,
            at: dispute.opened_at,
            title: dispute.status === 'open' ? 'Disputed' : 'Disputed, and resolved',
            text: `${dispute.reason} · by ${dispute.opened_by}`,
          },
        ];
  const first: Entry = {
    key: 'recorded',
    at: record.created_at,
    title: 'Recorded',
    text: `The call occurred ${formatMoment(record.occurred_at)}`,
  };
  // An override or a dispute that wrote this version tells it already.
  const isTold = [...overrides, ...disputes].some(({ at }) => at === record.as_of);
  const newest: Entry[] =
    record.version === 1 || isTold
      ? []
      : [
          {
            key: 'newest',
            at: record.as_of,
            title: `Version ${record.version} written: ${named(record.owner, record.service)}`,
            text: `Decided by ${record.interpretation.model_version}`,
          },
        ];
  return [...overrides, ...disputes, ...newest, first].sort((a, b) => b.at.localeCompare(a.at));
};

export const History = ({ record }: { record: AttributionDetail }) => (
  <ol className="rows">
    {historyOf(record).map(({ key, at, title, text }) => (
      <li key={key}>
        <div className="line">
          <strong>{title}</strong>
          <span className="quiet small">
            <Moment at={at} />
          </span>
        </div>
        <span className="sub">{text}</span>
      </li>
    ))}
  </ol>
);
