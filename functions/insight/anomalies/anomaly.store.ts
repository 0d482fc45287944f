import * as z from 'zod';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import { Anomaly, type AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import { RETENTION_MILLISECONDS } from '../../ledger/records/ledgerItem.ts';
import {
  type DocumentRange,
  listDocuments,
  putDocument,
  type Revision,
  readDocument,
  type Write,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { type Entity, entityKey } from './entity.ts';

/** Safe upper bound for the entities of a tenant that have a finding within LATEST_SECONDS. */
const LATEST_MAXIMUM = 10_000;
/** How long the newest finding of an entity is kept for lookups after its period, in seconds. */
const LATEST_SECONDS = 60 * DAY_SECONDS;

const findingPartition = (tenantId: string): string => `finding#${tenantId}`;
const latestPartition = (tenantId: string): string => `latest#${tenantId}`;
const watermarkKey = (tenantId: string, grain: AnomalyGrain) => ({ pk: `judged#${tenantId}`, sk: grain });

const Watermark = z.object({ until: z.int() });

const secondsOf = (instant: string): number => Math.ceil(Date.parse(instant) / 1_000);

export interface FindingReader {
  /** Findings in the order of their ULIDs, which is the order in which their first periods ended. */
  readonly findings: (tenantId: string, range: DocumentRange) => Promise<Anomaly[]>;
  /** The finding with this ULID. */
  readonly finding: (tenantId: string, ulid: string) => Promise<Anomaly | null>;
}

export const findingReader = (table: string): FindingReader => ({
  findings: (tenantId, range) => listDocuments(table, findingPartition(tenantId), range, Anomaly),
  finding: (tenantId, ulid) => readDocument(table, { pk: findingPartition(tenantId), sk: ulid }, Anomaly),
});

/** The state of the anomaly detector. */
export interface AnomalyDetectionStore {
  /** End of the last evaluated hour or day, in epoch milliseconds. Null before the first evaluation. */
  readonly watermark: (tenantId: string, grain: AnomalyGrain) => Promise<number | null>;
  readonly putWatermark: (tenantId: string, grain: AnomalyGrain, until: number) => Write;
  /** The newest finding of each entity and grain. */
  readonly latest: (tenantId: string) => Promise<Anomaly[]>;
  /** Returns the writes of a finding. They fail when the entity's newest finding is no longer `previous`. */
  readonly put: (tenantId: string, finding: Anomaly, previous: Anomaly | null) => readonly Write[];
}

/** A finding changes only when its period is extended. */
const revisionOf = ({ id, period }: Anomaly): Revision => ({ claim: `${id} ${period.to}`, attempt: 1 });

const latestKey = (tenantId: string, finding: Entity & Pick<Anomaly, 'grain'>) => ({
  pk: latestPartition(tenantId),
  sk: `${finding.grain}#${sha256Of(entityKey(finding)).toString('hex')}`,
});

export const anomalyDetectionStore = (table: string): AnomalyDetectionStore => ({
  watermark: async (tenantId, grain) =>
    (await readDocument(table, watermarkKey(tenantId, grain), Watermark))?.until ?? null,
  putWatermark: (tenantId, grain, until) => putDocument(table, watermarkKey(tenantId, grain), { until }),
  latest: (tenantId) =>
    listDocuments(table, latestPartition(tenantId), { descending: false, limit: LATEST_MAXIMUM }, Anomaly),
  put: (tenantId, finding, previous) => [
    writeDocument(table, latestKey(tenantId, finding), finding, {
      expectedRevision: previous === null ? null : revisionOf(previous),
      by: revisionOf(finding),
      ttl: secondsOf(finding.period.to) + LATEST_SECONDS,
    }),
    putDocument(table, { pk: findingPartition(tenantId), sk: ulidInId(finding.id) }, finding, {
      ttl: secondsOf(finding.period.to) + RETENTION_MILLISECONDS / 1_000,
    }),
  ],
});
