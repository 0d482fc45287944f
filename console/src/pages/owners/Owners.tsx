import { useState } from 'react';
import { Link } from 'wouter';
import { magnitude } from '../../../../sdk/shared/decimal.ts';
import { getUnownedReport } from '../../../../sdk/typescript/src/operations.ts';
import type { UnownedReport, UnownedService } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { Callout } from '../../components/Callout.tsx';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatCount, formatUsd, plural } from '../../format/amount.ts';
import { formatDays } from '../../format/time.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { MappingDialog, type MappingDraft } from '../identity/MappingDialog.tsx';
import { ReprocessingState } from '../identity/ReprocessingState.tsx';
import { GroupList } from './GroupList.tsx';
import { ownersCodec, ownersLink, queryOf } from './ownersState.ts';
import { callsText, costText, nameOf, shareText } from './unownedText.ts';

/** Services that spend without a confirmed owner, with suggestions, and the mapping that names one. */
export const Owners = () => {
  const [state] = useUrlState(ownersCodec);
  const report = useRead(['unowned', state], (client, options) =>
    getUnownedReport(client, queryOf(state, Date.now()), options),
  );
  const canMap = useCan('finance:config');
  const dialog = useDialog('map-owner');
  const [draft, setDraft] = useState<MappingDraft>();
  const map = (next: MappingDraft): void => {
    setDraft(next);
    dialog.open(next.name);
  };
  return (
    <Page
      title="Owners"
      lead="Spend that nobody is confirmed to pay for. A suggestion is no answer until you map it."
      back={state.service === '' ? undefined : <Link href="/owners">All services</Link>}
      actions={canMap ? undefined : <NotPermitted scope="finance:config" to="name an owner" />}
    >
      <ReprocessingState />
      <Loaded of={report} height={420}>
        {(data) => <Report report={data} service={state.service} map={canMap ? map : undefined} />}
      </Loaded>
      <MappingDialog of={dialog} mapping={undefined} draft={draft} />
    </Page>
  );
};

interface ReportProps {
  readonly report: UnownedReport;
  /** The service that is asked for. Empty for all. */
  readonly service: string;
  readonly map: ((draft: MappingDraft) => void) | undefined;
}

const Report = ({ report, service, map }: ReportProps) => {
  const { data, services, totals, examined, period } = report;
  if (data.length === 0)
    return (
      <Card title="Spend without an owner">
        <Empty
          title={
            service === ''
              ? 'Every call has a confirmed owner'
              : `No call of ${service} is known to lack an owner`
          }
        >
          New services appear here when nobody owns them.
        </Empty>
      </Card>
    );
  const columns: readonly Column<UnownedService>[] = [
    {
      title: 'Service',
      cell: (row) => (
        <>
          {row.kind === 'group' && typeof row.service === 'string' ? (
            <Link href={ownersLink({ service: row.service })}>{row.service}</Link>
          ) : (
            <span className="quiet">{nameOf(row)}</span>
          )}
          <span className="sub">
            {magnitude(row.provisional) > 0 && `${formatUsd(row.provisional)} with an unsure owner. `}
            {magnitude(row.allocated) > 0 && `${formatUsd(row.allocated)} divided among owners. `}
            {row.unpriced_invocations > 0 && `${formatCount(row.unpriced_invocations)} without a price.`}
          </span>
        </>
      ),
    },
    {
      title: 'Without an owner',
      right: true,
      cell: (row) => (
        <>
          {costText(row)}
          <span className="sub">
            {shareText(row)} of all, {callsText(row)}
          </span>
        </>
      ),
    },
    { title: 'Suggestion', cell: (row) => <GroupList row={row} map={map} /> },
  ];
  return (
    <Card
      title={
        services === 0
          ? 'Spend without an owner'
          : `${plural(services, 'service')} ${services === 1 ? 'has' : 'have'} no owner`
      }
      aside={
        <span>
          {costText(totals)}, {shareText(totals)} of all spend of {formatDays(period)}
        </span>
      }
    >
      {examined === null && (
        <Callout tone="note">
          Suggestions show labels of single calls, which your role does not include.
        </Callout>
      )}
      <Table
        label="Services without an owner"
        columns={columns}
        rows={data}
        hasMore={report.page.next_cursor !== null}
        keyOf={({ kind, service = null }) => `${kind} ${service ?? ''}`}
      />
    </Card>
  );
};
