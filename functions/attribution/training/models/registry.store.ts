import * as z from 'zod';
import { Model } from '../../../../schemas/attribution/models.ts';
import {
  type DocumentRange,
  listReadable,
  putDocument,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { ServingState, UNTRAINED } from './servingState.ts';

/** The encoded heuristic of one training. */
const StoredHeuristic = z.object({ encoded: z.base64() });

const modelKey = (tenantId: string, ulid: string) => ({ pk: `model#${tenantId}`, sk: ulid });
const servingKey = (tenantId: string) => ({ pk: `serving#${tenantId}`, sk: 'serving' });
const heuristicKey = (tenantId: string, version: string) => ({ pk: `heuristic#${tenantId}`, sk: version });

export interface ServingReader {
  readonly serving: (tenantId: string) => Promise<ServingState | null>;
  /** The encoded heuristic of a version. Null when there is none. */
  readonly heuristic: (tenantId: string, version: string) => Promise<Buffer | null>;
}

export const servingReader = (table: string): ServingReader => ({
  serving: (tenantId) => readDocument(table, servingKey(tenantId), ServingState),
  heuristic: async (tenantId, version) => {
    const stored = await readDocument(table, heuristicKey(tenantId, version), StoredHeuristic);
    return stored === null ? null : Buffer.from(stored.encoded, 'base64');
  },
});

/** A tenant's models in training order. `after` of the range is the ULID of the last model of the previous page. */
export interface ModelList {
  readonly models: (tenantId: string, range: DocumentRange) => Promise<Model[]>;
  readonly serving: ServingReader['serving'];
}

export const modelList = (table: string): ModelList => ({
  models: (tenantId, range) => listReadable(table, `model#${tenantId}`, range, Model),
  serving: servingReader(table).serving,
});

/** Reads and changes the serving state, with an optimistic lock on its revision. */
export interface ServingWriter {
  /** The serving state and its revision. The revision is null before the first training. */
  readonly current: (
    tenantId: string,
  ) => Promise<{ readonly serving: ServingState; readonly revision: Revision | null }>;
  readonly putServing: (tenantId: string, serving: ServingState, options: WriteOptions) => Write;
}

export const servingWriter = (table: string): ServingWriter => ({
  current: async (tenantId) => {
    const stored = await readVersioned(table, servingKey(tenantId), ServingState);
    return { serving: stored?.document ?? UNTRAINED, revision: stored?.revision ?? null };
  },
  putServing: (tenantId, serving, options) => writeDocument(table, servingKey(tenantId), serving, options),
});

export interface ModelRegistry extends ModelList, ServingWriter {
  readonly model: (tenantId: string, ulid: string) => Promise<Versioned<Model> | null>;
  /** Commit this write together with `putServing`. Its revision is the lock for changes of models, too. */
  readonly putModel: (tenantId: string, model: Model, by: Revision) => Write;
  readonly putHeuristic: (tenantId: string, version: string, encoded: Uint8Array) => Write;
}

export const modelRegistry = (table: string): ModelRegistry => ({
  ...modelList(table),
  ...servingWriter(table),
  model: (tenantId, ulid) => readVersioned(table, modelKey(tenantId, ulid), Model),
  putModel: (tenantId, model, by) =>
    putDocument(table, modelKey(tenantId, ulidInId(model.version)), model, { by }),
  putHeuristic: (tenantId, version, encoded) =>
    putDocument(table, heuristicKey(tenantId, version), {
      encoded: Buffer.from(encoded).toString('base64'),
    }),
});
