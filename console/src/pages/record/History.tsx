import { listAttributionVersions } from '../../../../sdk/typescript/src/operations.ts';
import type { RecordVersion } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Moment } from '../../components/Moment.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { More } from '../../components/tables/More.tsx';
import { formatMoment } from '../../format/time.ts';

const causes: Readonly<Record<RecordVersion['cause'], string>> = {
  recorded: 'Recorded',
  override: 'Overridden by hand',
  dispute: 'Disputed',
  confirmation: 'Its cost was confirmed',
  allocation: 'Its cost was allocated',
  observation: 'Another report of the call came',
  trace: 'Another span of its trace came',
  rules: 'Mappings or rules changed',
  model: 'The model changed',
  factors: 'Prices or footprint factors changed',
  unknown: 'Written',
};

const answers = { owner: 'nobody', service: 'no service' } as const;

/** What a version says other than the one before it. The first one says everything. */
export const changesOf = ({ record }: RecordVersion, previous: RecordVersion | undefined): string => {
  const changes = (['owner', 'service'] as const).flatMap((who) => {
    const name = record[who] ?? answers[who];
    if (previous === undefined) return [name];
    const before = previous.record[who] ?? answers[who];
    return name === before ? [] : [`${before} → ${name}`];
  });
  return changes.length === 0 ? 'Owner and service stay' : changes.join(' · ');
};

const Entry = ({ version, previous }: { version: RecordVersion; previous: RecordVersion | undefined }) => {
  const { record, valid_until: until, cause, by, reason } = version;
  return (
    <li>
      <div className="line">
        <strong>
          Version {record.version}: {causes[cause]}
        </strong>
        <span className="quiet small">
          <Moment at={record.as_of} />
        </span>
      </div>
      <span className="sub">
        {changesOf(version, previous)}
        {until === null ? ' · valid now' : ` · until ${formatMoment(until)}`}
      </span>
      {by !== undefined && (
        <span className="sub">{reason === undefined ? `By ${by}` : `${reason} · by ${by}`}</span>
      )}
    </li>
  );
};

/** Who was the owner until when, and what changed it, newest first. */
export const History = ({ id }: { id: string }) => {
  const versions = useList(['record', id, 'versions'], (client, cursor, options) =>
    listAttributionVersions(client, id, cursor, options),
  );
  return (
    <Loaded of={versions} height={120}>
      {(rows) => (
        <>
          <ol className="rows">
            {rows.map((version, index) => (
              <Entry key={version.record.version} version={version} previous={rows[index + 1]} />
            ))}
          </ol>
          <More of={versions} />
        </>
      )}
    </Loaded>
  );
};
