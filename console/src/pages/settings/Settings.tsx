import { getDiagnostics, getRateLimit, getTenant } from '../../../../sdk/typescript/src/operations.ts';
import type { TenantSettings } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import { formatUsd, plural } from '../../format/amount.ts';
import { formatDayOfYear } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { type DialogState, useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { DiagnosticsCard } from './DiagnosticsCard.tsx';
import { RateLimits } from './RateLimits.tsx';
import { SandboxCard } from './SandboxCard.tsx';
import { AllocationDialog, AttributionDialog, ChannelsDialog } from './SettingsDialogs.tsx';

/** The tenant, its rules for money without an owner, its channels, and how the service feels from here. */
export const Settings = () => {
  const tenant = useRead(['tenant'], getTenant);
  const limits = useRead(['rate-limit'], getRateLimit);
  const diagnostics = useRead(['diagnostics'], getDiagnostics);
  const attribution = useDialog('attribution-settings');
  const allocation = useDialog('allocation-settings');
  const channels = useDialog('notification-settings');
  const canChange = useCan('admin:config');
  return (
    <Page
      title="Settings"
      lead="Each change is in the audit log."
      actions={!canChange && <NotPermitted scope="admin:config" to="change the settings" />}
    >
      <div className="halves">
        <div className="pile">
          <Loaded of={tenant} height={360}>
            {(settings) => (
              <Card
                title="Tenant"
                aside={canChange && <EditButton of={attribution} name="tenant settings" />}
              >
                <TenantFacts settings={settings} />
                <AttributionDialog of={attribution} settings={settings} />
              </Card>
            )}
          </Loaded>
          <Card title="Ingestion and freshness">
            <Loaded of={diagnostics} height={260}>
              {(found) => <DiagnosticsCard diagnostics={found} />}
            </Loaded>
          </Card>
        </div>
        <div className="pile">
          <Loaded of={tenant} height={280}>
            {(settings) => (
              <>
                <Card
                  title="Cost without an owner"
                  aside={canChange && <EditButton of={allocation} name="allocation" />}
                >
                  <Allocation settings={settings} />
                  <AllocationDialog of={allocation} settings={settings} />
                </Card>
                <Card
                  title="Notifications"
                  aside={canChange && <EditButton of={channels} name="notification channels" />}
                >
                  <Channels settings={settings} />
                  <ChannelsDialog of={channels} settings={settings} />
                </Card>
              </>
            )}
          </Loaded>
          <Card title="Your rate limits">
            <Loaded of={limits} height={260}>
              {(found) => <RateLimits budget={found} />}
            </Loaded>
          </Card>
        </div>
      </div>
      {tenant.data?.sandbox && canChange && <SandboxCard />}
    </Page>
  );
};

const EditButton = ({ of, name }: { of: DialogState; name: string }) => (
  <button type="button" className="link" onClick={() => of.open()}>
    Edit<span className="visually-hidden"> {name}</span>
  </button>
);

const TenantFacts = ({ settings }: { settings: TenantSettings }) => (
  <dl className="facts">
    <dt>Name</dt>
    <dd>{settings.name}</dd>
    <dt>Id</dt>
    <dd className="mono">{settings.tenant_id}</dd>
    <dt>Plan</dt>
    <dd>{wordFor(settings.plan)}</dd>
    <dt>Residency lanes</dt>
    <dd>{settings.residency.length === 0 ? 'none' : settings.residency.join(', ')}</dd>
    <dt>Cost allocation tags</dt>
    <dd>
      {settings.cost_allocation_tags.join(', ') || 'none'}
      {settings.cost_allocation_tags_from !== null &&
        ` for calls from ${formatDayOfYear(settings.cost_allocation_tags_from)}`}
    </dd>
    <dt>Key lifetime</dt>
    <dd>at most {plural(settings.key_lifetime_days, 'day')}</dd>
    <dt>Largest cost of a call</dt>
    <dd>
      {settings.largest_reported_cost_usd === null
        ? 'what the usage explains'
        : `${formatUsd(settings.largest_reported_cost_usd)} a call`}
    </dd>
    <dt>Predictions</dt>
    <dd>{settings.stage_b}</dd>
    <dt>Since</dt>
    <dd>{formatDayOfYear(settings.created_at)}</dd>
  </dl>
);

const methods = {
  proportional: 'In proportion to the attributed spend of the day',
  even: 'Evenly among the owners of the day',
  fixed: 'By fixed shares',
  none: 'Not allocated',
} as const;

const Allocation = ({ settings: { allocation } }: { settings: TenantSettings }) => (
  <div className="stack">
    <p>{methods[allocation.method]}.</p>
    {allocation.method === 'fixed' && (
      <ul className="rows small num">
        {allocation.fixed.map(({ owner, share }) => (
          <li key={owner} className="line">
            <span>{owner}</span>
            <span>{share}</span>
          </li>
        ))}
      </ul>
    )}
    <p className="quiet small">Allocated cost is never part of a chargeback.</p>
  </div>
);

const Channels = ({ settings: { notifications } }: { settings: TenantSettings }) => (
  <dl className="facts">
    <dt>E-mail</dt>
    <dd>{notifications.email.length === 0 ? 'none' : notifications.email.join(', ')}</dd>
    <dt>Chat</dt>
    <dd>{notifications.chat?.url ?? 'none'}</dd>
    <dt>Sent</dt>
    <dd>{notifications.minimum_severity === 'critical' ? 'critical only' : 'warnings and critical'}</dd>
  </dl>
);
