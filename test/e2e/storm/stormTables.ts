import { type TableName, tableNames } from '../../../schemas/platform/tables.ts';
import type { AdminInstance } from '../adminInstance.ts';
import { administrationTraffic } from './administrationTraffic.ts';
import { exportTraffic, signalTraffic, trainingTraffic } from './backgroundTraffic.ts';
import { budgetTraffic, callTraffic } from './callTraffic.ts';
import { tokenTraffic } from './tokenTraffic.ts';
import type { Traffic } from './traffic.ts';
import { type StormReceiver, webhookTraffic } from './webhookTraffic.ts';

const kinds = {
  administration: administrationTraffic,
  budgets: budgetTraffic,
  calls: callTraffic,
  exports: exportTraffic,
  signals: signalTraffic,
  tokens: tokenTraffic,
  training: trainingTraffic,
  webhooks: webhookTraffic,
} as const satisfies Record<string, (api: AdminInstance, receiver: StormReceiver) => Promise<Traffic>>;
type Kind = keyof typeof kinds;

/** The traffic that reads and writes each table. A new table does not compile without an entry. */
const traffic: Readonly<Record<TableName, readonly [Kind, ...Kind[]]>> = {
  ledger: ['calls', 'webhooks'],
  claims: ['calls'],
  coverage: ['calls', 'administration', 'signals'],
  signals: ['signals'],
  counters: ['calls'],
  bills: ['administration'],
  billSources: ['administration'],
  traces: ['calls'],
  models: ['calls', 'training'],
  jobs: ['training'],
  exports: ['exports'],
  rollups: ['calls', 'budgets'],
  results: ['administration'],
  budgets: ['budgets'],
  anomalies: ['administration'],
  notifications: ['budgets'],
  tenants: ['calls', 'administration', 'exports'],
  access: ['calls', 'administration', 'tokens', 'webhooks'],
  grants: ['tokens'],
  audit: ['administration'],
  outbox: ['budgets', 'exports'],
  webhooks: ['webhooks'],
  deliveries: ['webhooks'],
  limits: ['calls', 'tokens'],
  idempotency: ['calls', 'administration'],
  identity: ['calls', 'administration'],
};

/** The tables that an event passes on its way to a total. The usual suite has no time for all tables. */
const EVENT_PATH: readonly TableName[] = ['claims', 'ledger', 'traces', 'counters', 'idempotency', 'rollups'];

export interface Storm {
  readonly table: TableName;
  readonly traffic: readonly Traffic[];
}

/** A storm for each table: for all of them in the soak, otherwise calls for those on the path of an event. */
export const stormsOf = async (
  api: AdminInstance,
  { receiver, isSoak }: { readonly receiver: StormReceiver; readonly isSoak: boolean },
): Promise<Storm[]> => {
  const tables = isSoak ? tableNames : EVENT_PATH;
  const kindsOf = (table: TableName): readonly Kind[] => (isSoak ? traffic[table] : ['calls']);
  const started = new Map<Kind, Traffic>();
  for (const kind of new Set(tables.flatMap(kindsOf))) started.set(kind, await kinds[kind](api, receiver));
  return tables.map((table) => ({
    table,
    traffic: kindsOf(table).flatMap((kind) => started.get(kind) ?? []),
  }));
};
