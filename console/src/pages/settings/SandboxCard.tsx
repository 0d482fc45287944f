import { getSandbox, resetSandbox, updateSandbox } from '../../../../sdk/typescript/src/operations.ts';
import type { Sandbox } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { formatCount } from '../../format/amount.ts';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useDialog } from '../../forms/useDialog.ts';

const POLL_MS = 3_000;

const isResetting = (sandbox: Sandbox | undefined): boolean =>
  sandbox?.reset != null && sandbox.reset.status !== 'succeeded';

/** The synthetic data of a sandbox tenant: its live traffic, and how far the newest reset is. */
export const SandboxCard = () => {
  const sandbox = useRead(['sandbox'], (client, options) => getSandbox(client, options), {
    refetchInterval: (found) => isResetting(found) && POLL_MS,
  });
  const reset = useDialog('reset-sandbox');
  const traffic = useDialog('sandbox-traffic');
  const isLive = sandbox.data?.live_traffic === true;
  return (
    <Card
      title="Sandbox"
      aside={
        <span className="controls">
          <button type="button" className="link" onClick={() => traffic.open()}>
            {isLive ? 'Stop live traffic' : 'Start live traffic'}
          </button>
          <button type="button" className="link bad" onClick={() => reset.open()}>
            Reset
          </button>
        </span>
      }
    >
      <Loaded of={sandbox} height={90}>
        {(found) => <SandboxFacts sandbox={found} />}
      </Loaded>
      {/* What the dialogs send depends on the present state, so they open when it is known. */}
      {sandbox.data !== undefined && (
        <>
          <FormDialog
            of={traffic}
            title={isLive ? 'Stop live traffic?' : 'Start live traffic?'}
            submit={isLive ? 'Stop' : 'Start'}
            send={(client, _, options) => updateSandbox(client, { live_traffic: !isLive }, options)}
          >
            <p>Live traffic adds a few synthetic calls each minute, for seven days.</p>
          </FormDialog>
          <FormDialog
            of={reset}
            title="Reset the sandbox?"
            submit="Reset"
            isDanger
            send={(client, _, options) => resetSandbox(client, { live_traffic: isLive }, options)}
          >
            <p>
              All records, budgets, mappings, exports and anomalies of this tenant are deleted, and a
              synthetic data set is loaded: services, a crossed budget, anomalies and disputes. Credentials,
              users, settings, webhooks and the audit log stay. It takes about ten minutes.
            </p>
          </FormDialog>
        </>
      )}
    </Card>
  );
};

const SandboxFacts = ({ sandbox: { live_until: liveUntil, reset } }: { sandbox: Sandbox }) => (
  <dl className="facts num">
    <dt>Live traffic</dt>
    <dd>
      {liveUntil === null ? (
        'off'
      ) : (
        <>
          ends <Moment at={liveUntil} ago />
        </>
      )}
    </dd>
    <dt>Newest reset</dt>
    <dd>
      {reset === null ? (
        'none'
      ) : (
        <>
          {reset.status}, requested <Moment at={reset.requested_at} ago />
        </>
      )}
    </dd>
    {reset !== null && (
      <>
        <dt>Deleted</dt>
        <dd>{formatCount(reset.erased_rows)} rows</dd>
        <dt>Loaded</dt>
        <dd>{formatCount(reset.sent_events)} calls</dd>
      </>
    )}
  </dl>
);
