import * as z from 'zod';
import { DAY_MS, DAY_SECONDS } from '../../../schemas/durations.ts';
import { Anomaly } from '../../../schemas/insight/anomalies.ts';
import { RETENTION_MILLISECONDS } from '../../ledger/records/ledgerItem.ts';
import {
  type DocumentRange,
  listReadable,
  putDocument,
  type Revision,
  readDocument,
  type Write,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ulidTime } from '../../platform/shared/ulid.ts';
import { type Entity, entityKey } from './entity.ts';

/** Safe upper bound for the entities of a tenant that have a finding within LATEST_SECONDS. */
const LATEST_MAXIMUM = 10_000;
/** How long the newest finding of an entity is kept for lookups after its period, in seconds. */
const LATEST_SECONDS = 60 * DAY_SECONDS;

const findingPartition = (tenantId: string): string => `finding#${tenantId}`;
const latestPartition = (tenantId: string): string => `latest#${tenantId}`;
/** Findings whose first period ended longer before a period are not looked at. */
const LONGEST_MS = 60 * DAY_MS;

const secondsOf = (instant: string): number => Math.ceil(Date.parse(instant) / 1_000);

const evaluationKey = (tenantId: string) => ({ pk: `evaluation#${tenantId}`, sk: 'hour' });
const Evaluation = z.object({ at: z.iso.datetime() });

export interface FindingReader {
  /** When the detector last looked at the hours of the tenant. Null: not yet. */
  readonly evaluatedAt: (tenantId: string) => Promise<string | null>;
  /** Findings in the order of their ULIDs, which is the order in which their first periods ended. */
  readonly findings: (tenantId: string, range: DocumentRange) => Promise<Anomaly[]>;
  /** The finding with this ULID. */
  readonly finding: (tenantId: string, ulid: string) => Promise<Anomaly | null>;
}

export const findingReader = (table: string): FindingReader => ({
  evaluatedAt: async (tenantId) =>
    (await readDocument(table, evaluationKey(tenantId), Evaluation))?.at ?? null,
  findings: (tenantId, range) => listReadable(table, findingPartition(tenantId), range, Anomaly),
  finding: (tenantId, ulid) => readDocument(table, { pk: findingPartition(tenantId), sk: ulid }, Anomaly),
});

/** The state of the anomaly detector. */
export interface AnomalyDetectionStore {
  /** Returns the write that the detector looked at the hours of the tenant, at epoch milliseconds. */
  readonly evaluated: (tenantId: string, now: number) => Write;
  /** The newest finding of each entity and grain. */
  readonly latest: (tenantId: string) => Promise<Anomaly[]>;
  /** Returns the writes of a finding. They fail when the entity's newest finding is no longer `previous`. */
  readonly put: (tenantId: string, finding: Anomaly, previous: Anomaly | null) => readonly Write[];
  /** The findings that may include a period that starts at `start` (epoch milliseconds) or later. */
  readonly findingsSince: (tenantId: string, start: number) => Promise<Anomaly[]>;
  /** Returns the write of a finding that is not the newest one of its entity. It fails when there is one of this period. */
  readonly putEarlier: (tenantId: string, finding: Anomaly) => Write;
}

/** A finding changes only when its period is extended. */
const revisionOf = ({ id, period }: Anomaly): Revision => ({ claim: `${id} ${period.to}`, attempt: 1 });

const findingKey = (tenantId: string, { id }: Anomaly) => ({
  pk: findingPartition(tenantId),
  sk: ulidInId(id),
});
const expiryOf = ({ period }: Anomaly): number => secondsOf(period.to) + RETENTION_MILLISECONDS / 1_000;

const latestKey = (tenantId: string, finding: Entity & Pick<Anomaly, 'grain'>) => ({
  pk: latestPartition(tenantId),
  sk: `${finding.grain}#${sha256Of(entityKey(finding)).toString('hex')}`,
});

export const anomalyDetectionStore = (table: string): AnomalyDetectionStore => ({
  evaluated: (tenantId, now) => putDocument(table, evaluationKey(tenantId), { at: toIso(now) }),
  latest: (tenantId) =>
    listReadable(table, latestPartition(tenantId), { descending: false, limit: LATEST_MAXIMUM }, Anomaly),
  put: (tenantId, finding, previous) => [
    writeDocument(table, latestKey(tenantId, finding), finding, {
      expectedRevision: previous === null ? null : revisionOf(previous),
      by: revisionOf(finding),
      ttl: secondsOf(finding.period.to) + LATEST_SECONDS,
    }),
    putDocument(table, findingKey(tenantId, finding), finding, { ttl: expiryOf(finding) }),
  ],
  findingsSince: async (tenantId, start) => {
    // Findings are in the order in which their first periods ended. One that is extended for longer is still ongoing.
    const range = { after: ulidTime(start - LONGEST_MS), descending: false, limit: LATEST_MAXIMUM };
    return listReadable(table, findingPartition(tenantId), range, Anomaly);
  },
  putEarlier: (tenantId, finding) =>
    writeDocument(table, findingKey(tenantId, finding), finding, {
      expectedRevision: null,
      by: revisionOf(finding),
      ttl: expiryOf(finding),
    }),
});
