import * as z from 'zod';
import { AnomalyMute } from '../../../../schemas/insight/anomalies.ts';
import {
  NO_REVISION,
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';

/** All muted series of a tenant in one document, so that the limit and each change are checked atomically. */
const Mutes = z.array(AnomalyMute);

const mutesKey = (tenantId: string) => ({ pk: `mutes#${tenantId}`, sk: 'all' });

export interface MuteStore {
  /** The muted series of a tenant, including those whose time is over. */
  readonly find: (tenantId: string) => Promise<Versioned<AnomalyMute[]>>;
  readonly put: (
    tenantId: string,
    mutes: readonly AnomalyMute[],
    expectedRevision: Revision,
    by: Revision,
  ) => Write;
}

export const muteStore = (table: string): MuteStore => ({
  find: async (tenantId) =>
    (await readVersioned(table, mutesKey(tenantId), Mutes)) ?? { document: [], revision: NO_REVISION },
  put: (tenantId, mutes, expectedRevision, by) =>
    writeDocument(table, mutesKey(tenantId), mutes, {
      expectedRevision: expectedRevision === NO_REVISION ? null : expectedRevision,
      by,
    }),
});
