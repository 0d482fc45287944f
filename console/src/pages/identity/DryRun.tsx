import { type RefObject, useState } from 'react';
import { Link } from 'wouter';
import { dryRunIdentityMapping } from '../../../../sdk/typescript/src/operations.ts';
import type { IdentityMapping, IdentityMappingDryRun } from '../../../../sdk/typescript/src/types.ts';
import { useClient } from '../../api/ApiProvider.tsx';
import { formatCount, plural } from '../../format/amount.ts';
import { DAY_MS } from '../../format/time.ts';
import { entriesOf } from '../../forms/entries.ts';
import { FormFailure } from '../../forms/FormFailure.tsx';
import { readForm } from '../../forms/formEntries.ts';
import { mappingRequestOf } from './mappingRequest.ts';

/** The calls that a dry run tries are those of as many days, at most as many as the service examines. */
const DAYS = 7;

interface DryRunProps {
  readonly fields: RefObject<HTMLElement | null>;
  /** The mapping that the form changes. */
  readonly replaced: IdentityMapping | undefined;
}

/** What the mapping of the form would change in recent records. Nothing is written. */
export const DryRun = ({ fields, replaced }: DryRunProps) => {
  const client = useClient();
  const [reply, setReply] = useState<IdentityMappingDryRun | Error | 'running' | null>(null);
  const run = async (): Promise<void> => {
    const form = fields.current?.closest('form');
    if (!form?.reportValidity()) return;
    setReply('running');
    try {
      const mapping = mappingRequestOf(entriesOf(readForm(form)), replaced);
      setReply(
        await dryRunIdentityMapping(client, {
          mapping,
          from: new Date(Date.now() - DAYS * DAY_MS).toISOString(),
          ...(replaced !== undefined && { replaces: replaced.id }),
        }),
      );
    } catch (error) {
      setReply(error instanceof Error ? error : Error(String(error)));
    }
  };
  return (
    <section className="stack dry-run" aria-label="Dry run" aria-live="polite">
      <div className="line">
        <h3>Dry run</h3>
        <button type="button" className="button" disabled={reply === 'running'} onClick={run}>
          {reply === 'running' ? 'Running' : 'Try it on the last 7 days'}
        </button>
      </div>
      {reply === null && (
        <p className="quiet small">Shows which calls would change their owner or service.</p>
      )}
      {reply instanceof Error && <FormFailure error={reply} />}
      {reply !== null && reply !== 'running' && !(reply instanceof Error) && <Changes run={reply} />}
    </section>
  );
};

const named = (owner: string | null, service: string | null): string =>
  `${owner ?? 'nobody'} · ${service ?? 'no service'}`;

const CHANGES_SHOWN = 5;

const Changes = ({ run }: { run: IdentityMappingDryRun }) => (
  <>
    <p>
      <strong>{plural(run.changed, 'call')}</strong> of {formatCount(run.examined)} would change
      {run.truncated && ', among the newest of the period'}.
    </p>
    <ul className="rows small">
      {run.owners
        .slice(0, CHANGES_SHOWN)
        .map(({ owner, invocations_before: before, invocations_after: after }) => (
          <li key={owner ?? ''} className="line num">
            <span>{owner ?? 'nobody named'}</span>
            <span>
              {formatCount(before)} to {formatCount(after)} calls
            </span>
          </li>
        ))}
    </ul>
    <ul className="rows small">
      {run.changes.slice(0, CHANGES_SHOWN).map(({ attribution_id: id, before, after }) => (
        <li key={id}>
          <Link href={`/records/${encodeURIComponent(id)}`}>{named(before.owner, before.service)}</Link>
          <span className="sub">becomes {named(after.owner, after.service)}</span>
        </li>
      ))}
    </ul>
  </>
);
