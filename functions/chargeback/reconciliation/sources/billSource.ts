import * as z from 'zod';
import {
  BillProvider as BillProviderShape,
  ImportError,
  SourceHealth,
} from '../../../../schemas/chargeback/billSourceHealth.ts';
import { FIRST_IMPORT_DAYS } from '../../../../schemas/chargeback/billSources.ts';
import { DataExport } from '../../../../schemas/chargeback/dataExport.ts';
import { ExchangeRates } from '../../../../schemas/chargeback/exchangeRates.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { Lease } from '../../../../schemas/platform/lease.ts';
import type {
  BillSourcePatch,
  BillSourceRequest,
} from '../../../../schemas/routes/chargeback/billSources.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

/** How long after its end a day may stay without charges before the provider is late. */
export const LATE_AFTER_MS = DAY_MS;

/** The state of the imports of a source. Instants are epoch milliseconds. */
const ImportState = z.object({
  /** The next import starts at the first run at or after this instant. */
  due_at: z.int(),
  /** Imports in a row that did not complete. */
  failures: z.int(),
  last_error: ImportError.nullable(),
  last_success_at: z.int().nullable(),
  imported_until: z.int().nullable(),
  published_until: z.int().nullable(),
  /** Days that were left out because their own report cannot be stored, by their starts. They are tried again. */
  unread_days: z.record(z.string(), z.object({ error: ImportError, at: z.int() })).default({}),
  /** The account as the provider last reported it. Null before. */
  reported_account: z.string().nullable().default(null),
  /** The day at which the next import starts, if the last one did not complete. */
  resume_at: z.int().nullable(),
  /** AWS: how far the newest delivery of each open month was imported (`aws/dataExport.ts`). */
  deliveries: z.record(z.string(), z.object({ version: z.string(), until: z.int() })).optional(),
  /** Of the run that imports the source. */
  lease: Lease.nullable(),
});
export type ImportState = z.infer<typeof ImportState>;

export const StoredBillSource = z.object({
  id: z.string(),
  provider: BillProviderShape,
  name: z.string(),
  account: z.string().nullable(),
  paused: z.boolean(),
  /** The credential of the provider, encrypted for this source (`credential.aws.ts`). Empty for AWS. */
  sealed_credential: z.string(),
  data_export: DataExport.nullable().default(null),
  exchange_rates: ExchangeRates.nullable().default(null),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  imports: ImportState,
  /** What the newest event about the source said, and since when (epoch milliseconds). */
  health: z.object({ state: SourceHealth, since: z.int() }).default({ state: 'working', since: 0 }),
});
export type StoredBillSource = z.infer<typeof StoredBillSource>;

/** A new source, which is imported at the next run. `at` is epoch milliseconds. */
export const newBillSource = (
  {
    provider,
    name,
    account = null,
    data_export = null,
    exchange_rates = null,
  }: Pick<BillSourceRequest, 'provider' | 'name'> & {
    readonly data_export?: DataExport | null | undefined;
    readonly account?: string | null | undefined;
    readonly exchange_rates?: ExchangeRates | null | undefined;
  },
  { id, sealed, at }: { readonly id: string; readonly sealed: string; readonly at: number },
): StoredBillSource => ({
  id,
  provider,
  name,
  account,
  paused: false,
  sealed_credential: sealed,
  data_export,
  exchange_rates,
  created_at: toIso(at),
  updated_at: toIso(at),
  imports: {
    due_at: at,
    failures: 0,
    last_error: null,
    last_success_at: null,
    imported_until: null,
    published_until: null,
    unread_days: {},
    reported_account: null,
    resume_at: null,
    lease: null,
  },
  health: { state: 'working', since: at },
});

/** The days that wait for a rate, due at once. */
const withoutPause = (unread: ImportState['unread_days']): ImportState['unread_days'] =>
  Object.fromEntries(
    Object.entries(unread).map(([day, { error, at }]) => [
      day,
      { error, at: error === 'other_currency' ? 0 : at },
    ]),
  );

/**
 * The source after a change of its settings at `at` (epoch milliseconds). `sealed` is the new credential. New access to the
 * bills, new rates and a change of `paused` end the lease, so a run that uses the old settings stops before it writes the next day.
 */
export const patchBillSource = (
  source: StoredBillSource,
  { name, paused = source.paused, data_export, exchange_rates }: Omit<BillSourcePatch, 'credential'>,
  { sealed, at }: { readonly sealed: string | null; readonly at: number },
): StoredBillSource => {
  const hasNewAccess = sealed !== null || data_export !== undefined;
  const isRestarted = hasNewAccess || exchange_rates !== undefined || paused !== source.paused;
  return {
    ...source,
    name: name ?? source.name,
    paused,
    sealed_credential: sealed ?? source.sealed_credential,
    data_export: data_export ?? source.data_export,
    exchange_rates: exchange_rates ?? source.exchange_rates,
    updated_at: toIso(at),
    imports: {
      ...source.imports,
      ...(isRestarted && { due_at: at, failures: 0, lease: null }),
      ...(exchange_rates !== undefined && { unread_days: withoutPause(source.imports.unread_days) }),
      // The error and the account were those of the old credential, and the deliveries are those of the old export.
      ...(hasNewAccess && { last_error: null, reported_account: null, deliveries: {} }),
    },
  };
};

/** The start of the first UTC day that a source imports, in epoch milliseconds. */
export const firstImportedDay = ({ created_at }: Pick<StoredBillSource, 'created_at'>): number => {
  const created = Date.parse(created_at);
  return startOf('day', created) - FIRST_IMPORT_DAYS * DAY_MS;
};

/** Whether nothing is published for the day after the newest published one, 24 hours after that day has ended. */
export const isLate = (
  { paused, created_at, imports }: Pick<StoredBillSource, 'paused' | 'created_at' | 'imports'>,
  now: number,
): boolean => {
  const created = Date.parse(created_at);
  const awaited = imports.published_until ?? startOf('day', created);
  return !paused && now > awaited + DAY_MS + LATE_AFTER_MS;
};

/** The source. Throws NOT_FOUND when there is none. */
export const requireBillSource = (source: StoredBillSource | null): StoredBillSource => {
  if (source === null) throw new ProblemError('NOT_FOUND', 'Bill source not found.');
  return source;
};

/** Throws VALIDATION_FAILED for access to bills that the provider of the source does not have. */
export const checkPatch = ({ provider }: StoredBillSource, patch: BillSourcePatch): void => {
  const member = provider === 'aws' ? 'credential' : 'data_export';
  if (patch[member] === undefined) return;
  const detail = `must be omitted for the provider ${provider}`;
  throw new ProblemError('VALIDATION_FAILED', `A bill source of ${provider} has no ${member}.`, {
    errors: [{ pointer: `/${member}`, detail }],
  });
};

/** The account of a source at its provider. */
export interface SourceAccount {
  readonly provider: string;
  readonly account: string | null;
}

/**
 * Whether two sources read the same bills, and so would count them twice. A source without the name of an account reads the
 * only account of its provider.
 */
export const isSameAccount = (one: SourceAccount, other: SourceAccount): boolean =>
  one.provider === other.provider &&
  (one.account === null || other.account === null || one.account === other.account);
