import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import disputeAttribution from '../../../functions/attribution/corrections/disputeAttribution.ts';
import overrideAttribution from '../../../functions/attribution/corrections/overrideAttribution.ts';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { fromVersionItem } from '../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { recordVersionStore } from '../../../functions/ledger/records/recordVersion.store.ts';
import type { Exchange } from '../../../functions/platform/http/exchange.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import type { Reply } from '../../../functions/platform/http/reply.ts';
import { responseStore } from '../../../functions/platform/idempotency/response.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import type { Caller } from '../../../functions/platform/tenancy/caller.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { AuditEntry } from '../../../schemas/identity/audit.ts';
import { type TestRecord, ulidOfRecord } from '../../ledger/records/ledgerFixture.ts';
import { caller, serve, storedResponsesIn, type TestResponse } from '../../platform/http/harness.ts';
import type { LiveTables } from '../../support/tables.ts';

/** Default arrival time of corrections: after every record. */
export const LATER = Date.parse('2026-08-01T00:00:00Z');

/** Rollup marks written by corrections. */
export const rollupMarks: {
  readonly tenantId: string;
  readonly instants: readonly number[];
  readonly ahead: boolean;
}[] = [];

/** Clock of the ledger: the arrival time of the last attempt. */
let now = LATER;
const stores = {
  audit: auditLog('audit'),
  corrections: recordVersionStore('ledger', () => now),
  mark: async (tenantId: string, instants: readonly number[], { isAhead = false } = {}) => {
    rollupMarks.push({ tenantId, instants, ahead: isAhead });
  },
  outbox: outbox('outbox'),
};
const operations = { override: overrideAttribution(stores), dispute: disputeAttribution(stores) };

let keys = 0;

export interface Attempt {
  readonly body: Record<string, unknown>;
  /** Default: a new key. */
  readonly key?: string;
  readonly at?: number;
  readonly by?: Partial<Caller>;
  /** Wraps the operation, for attempts that crash or stall. */
  readonly around?: (run: BoundOperation['run'], exchange: Exchange) => Promise<Reply>;
}

/** Sends one correction through the full middleware pipeline, with live tables. */
export const sendCorrection = (
  tenant: Tenant,
  record: TestRecord,
  kind: keyof typeof operations,
  { body, key, at = LATER, by = {}, around = (run, exchange) => run(exchange) }: Attempt,
): Promise<TestResponse> => {
  const { route, run } = operations[kind];
  now = at;
  keys += 1;
  return serve(
    route,
    (exchange) => around(run, exchange),
    {
      body: JSON.stringify(body),
      parameters: { id: idOf('att', tenant.tag, ulidOfRecord(tenant, record)) },
      headers: {
        'x-api-key': 'ask_good',
        'content-type': 'application/json',
        'idempotency-key': key ?? `correction-${keys}`,
      },
    },
    {
      authenticator: async () => ({
        ...caller,
        tenant,
        scopes: new Set(['admin:config', 'read:attribution']),
        ...by,
      }),
      responses: storedResponsesIn(responseStore('idempotency')),
      audit: stores.audit,
      clock: () => at,
    },
  );
};

const Row = z.object({ document: z.object({ S: z.string() }) });

/** The stored data of a tenant. */
export const storedDataOf = ({ client }: LiveTables, tenant: Tenant) => {
  const documents = async (TableName: string) => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    return Items.filter((item) => item['pk']?.S?.split('#')[0] === tenant.tenant_id).map((item): unknown =>
      JSON.parse(Row.parse(item).document.S),
    );
  };
  return {
    /** The versions of a record in ascending order, each with the expiry of its item (epoch seconds). */
    versions: async (record: TestRecord) => {
      const ulid = ulidOfRecord(tenant, record);
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: 'ledger',
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :record)',
          ExpressionAttributeValues: {
            ':pk': { S: recordPartitionOf(tenant, ulid) },
            ':record': { S: `${ulid}#` },
          },
        }),
      );
      return Items.map((item) => ({
        ...fromVersionItem(item, tenant.tenant_id),
        expires: item['expires']?.N,
      }));
    },
    audited: async () => (await documents('audit')).map((entry) => AuditEntry.parse(entry)),
    raised: async () => (await documents('outbox')).map((event) => RaisedEvent.parse(event)),
  };
};
