import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { evidenceOf, spanOf } from '../../../functions/attribution/engine/trace/trace.ts';
import { eventIdOfCall } from '../../../functions/ingest/formats/observedCall.ts';
import { toClaimItem } from '../../../functions/ledger/records/dedup/dedupClaimRow.store.ts';
import { observerOf } from '../../../functions/ledger/records/dedup/observer.ts';
import {
  idSpaceOf,
  mayJoinRecords,
  partyOf,
} from '../../../functions/ledger/records/dedup/statementPolicy.ts';
import type { LedgerReader, Version } from '../../../functions/ledger/records/ledger.store.ts';
import { partitionsOfMonth } from '../../../functions/ledger/records/ledgerKey.ts';
import { scanPartition } from '../../../functions/ledger/records/query/scanRecords.ts';
import { toInvocationEvent } from '../../../functions/ledger/records/storedEvent.ts';
import { traceStore } from '../../../functions/ledger/records/trace/trace.store.ts';
import { toAgreementRow } from '../../../functions/ledger/records/trace/traceAgreement.store.ts';
import {
  newPackId,
  toIndexedRow,
  toPackRow,
} from '../../../functions/ledger/records/trace/tracePack.store.ts';
import { toSpanRows, toUsageRow } from '../../../functions/ledger/records/trace/traceRow.store.ts';
import { callersOf } from '../../../functions/ledger/records/trace/traceSpan.ts';
import { invocationUlid, ulidInId } from '../../../functions/platform/shared/ids.ts';
import type { Clock } from '../../../functions/platform/shared/time/clock.ts';
import { startOfMonth, startOfNextMonth } from '../../../functions/platform/shared/time/month.ts';
import { homeLane, type Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { pascalCase } from '../../../lib/pascalCase.ts';
import { type DerivedTable, type TableShape, tables } from '../../../schemas/platform/tables.ts';
import type { Deployment } from '../deployment.ts';
import { operatorLedger } from '../operatorLedger.ts';
import { counterparts, distinctRows, putIfAbsent, type Row } from './tableRows.ts';

/** Concurrent writes. It leaves most of a table's capacity to the running service. */
const CONCURRENCY = 8;

export interface RebuildReport {
  readonly table: DerivedTable;
  /** Rows that the records of the tenants lead to. */
  readonly rows: number;
  /** Rows that the table lacked. */
  readonly missing: number;
}

/** Versions that were read together: all, and the newest of each record. */
interface ReadVersions {
  readonly versions: readonly Version[];
  readonly newest: readonly Version[];
}

/** The rows of a table that the records lead to. */
type RowsOf = (
  tenant: Pick<Tenant, 'tenant_id' | 'residency'>,
  read: ReadVersions,
  live: string,
) => Row[] | Promise<Row[]>;

/**
 * A claim has the times, the observer and the lane of the first version. So has that of each further id of the call. The
 * hash of the content is lost: the record does not hold the event as it was sent.
 */
const claimRows: RowsOf = ({ tenant_id, residency }, { versions, newest }) => {
  // Their calls have a record, and so a claim, of the tenant.
  const superseded = new Set(
    newest.flatMap(({ attribution: { record, storedEvent } }) =>
      storedEvent.superseded === true ? record.id : [],
    ),
  );
  return versions
    .filter(({ validity, attribution }) => validity.version === 1 && !superseded.has(attribution.record.id))
    .flatMap(({ attribution: { record, storedEvent } }) => {
      const party = storedEvent.stated_by === undefined ? null : partyOf(storedEvent.stated_by);
      const claim = {
        party,
        credential: storedEvent.stated_by?.id ?? null,
        receivedAt: Date.parse(record.created_at),
        contentHash: null,
        record: ulidInId(record.id),
        observer: observerOf(toInvocationEvent(record, storedEvent), storedEvent.stated_by),
        lane: record.residency,
      };
      const space = idSpaceOf(null, record.residency, homeLane({ residency }));
      const others = mayJoinRecords(party) ? (storedEvent.call_ids ?? []) : [];
      const aliases = others.map((id) => invocationUlid(tenant_id, eventIdOfCall(id), space));
      return [ulidInId(record.invocation_id), ...aliases].map((invocation) =>
        toClaimItem(tenant_id, invocation, claim),
      );
    });
};

/**
 * A span says what all observers together say. A trace without any row is written by key: whether its spans agree depends on
 * mappings that may have changed, so nobody knows it, and what their records hold stays. A trace that has packs gets one more.
 */
const spanRows: RowsOf = async ({ tenant_id: tenantId, residency }, { newest }, live) => {
  const store = traceStore(live);
  const rowsOfRecord = async ({ attribution }: Version): Promise<Row[]> => {
    const { record, storedEvent, explanation } = attribution;
    if (record.trace_id === null) return [];
    const { stated_by: statedBy, trace: evidence } = storedEvent;
    const lane = record.residency === homeLane({ residency }) ? undefined : (record.residency ?? undefined);
    const connector = statedBy === undefined ? undefined : (partyOf(statedBy) ?? undefined);
    const { cost } = explanation;
    const cost_usd = cost?.source === 'structure' ? undefined : cost?.central;
    const origin = { lane, connector, credential: statedBy?.id, cost_usd };
    const span = spanOf(toInvocationEvent(record, storedEvent), ulidInId(record.id), origin);
    const trace = { tenantId, traceId: record.trace_id, lane };
    const written = { writeId: randomUUID(), at: Date.parse(record.created_at) };
    const opened = await store.open(trace, Date.now());
    const packed = opened === 'outgrown' ? await store.packedSpans(trace) : opened.packed;
    if (packed !== null && packed.length > 0) {
      const known = packed.find((one) => one.record === span.record)?.packs?.[0];
      const pack = known ?? newPackId(written.at, span.record);
      return [toPackRow(trace, [{ ...span, evidence: evidenceOf(attribution) }], { ...written, pack })];
    }
    const { at } = written;
    const passesUsage = !span.reportsUsage && evidence?.repeatsUsage === true;
    return [
      ...toSpanRows(trace, span, written),
      ...(passesUsage ? callersOf(span).map((caller) => toUsageRow(trace, span, caller, at)) : []),
      ...(['names', 'end_user'] as const).map((subject) =>
        toAgreementRow(trace, { connector, subject }, { state: 'unknown' }, at),
      ),
      // What is not known may be.
      toAgreementRow(trace, { connector: undefined, subject: 'credential' }, { state: 'unknown' }, at),
      toIndexedRow(trace, at),
    ];
  };
  return (await pMap(newest, rowsOfRecord, { concurrency: CONCURRENCY })).flat();
};

const rowsOfTable: Readonly<Record<DerivedTable, RowsOf>> = { claims: claimRows, traces: spanRows };

/** Reads every record of a tenant, in the table and in the archive. */
const readTenant = async function* (
  ledger: LedgerReader,
  tenant: Pick<Tenant, 'tenant_id'>,
  asOf: number,
): AsyncGenerator<ReadVersions> {
  for (const month of await ledger.months(tenant.tenant_id)) {
    const period = { from: startOfMonth(month.month), to: startOfNextMonth(month.month) };
    for (const partition of partitionsOfMonth(tenant, month)) {
      const request = { tenantId: tenant.tenant_id, partition, period, asOf };
      for await (const { items, versions } of scanPartition(ledger, request)) {
        yield { versions, newest: items };
      }
    }
  }
};

/**
 * Writes the rows that a derived table lacks, from the records of tenants. Rows that exist stay as they are, so the service
 * can keep running, and the command can be repeated. Expired rows are left out.
 */
export const rebuildTable = async (
  deployment: Deployment,
  {
    table,
    tenants,
    isDryRun,
  }: {
    readonly table: DerivedTable;
    readonly tenants: AsyncIterable<readonly Pick<Tenant, 'tenant_id' | 'residency'>[]>;
    /** Only count. */
    readonly isDryRun: boolean;
  },
  clock: Clock,
): Promise<RebuildReport> => {
  const live = deployment.output(`Table${pascalCase(table)}`);
  const shape: TableShape = tables[table];
  const ledger = operatorLedger(deployment, clock);
  const rowsOf = rowsOfTable[table];
  const asOf = clock();
  const isExpired = (row: Row): boolean => Number(row['ttl']?.N) <= asOf / 1_000;
  let [total, missing] = [0, 0];
  for await (const page of tenants) {
    for (const tenant of page) {
      for await (const read of readTenant(ledger, tenant, asOf)) {
        // The records of a trace share some rows.
        const rows = distinctRows(shape, await rowsOf(tenant, read, live)).filter((row) => !isExpired(row));
        const counterpart = await counterparts(shape, live, rows);
        const lost = rows.filter((row) => counterpart(row) === undefined);
        if (!isDryRun) await pMap(lost, (row) => putIfAbsent(live, row), { concurrency: CONCURRENCY });
        total += rows.length;
        missing += lost.length;
      }
    }
  }
  return { table, rows: total, missing };
};
