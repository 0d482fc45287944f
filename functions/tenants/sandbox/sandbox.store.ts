import { SandboxState } from '../../../schemas/tenants/sandbox.ts';
import {
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';

export interface SandboxStore {
  /** Null for a tenant that is not a sandbox. */
  readonly find: (tenantId: string) => Promise<Versioned<SandboxState> | null>;
  readonly put: (tenantId: string, state: SandboxState, options: WriteOptions) => Write;
}

const keyOf = (tenantId: string) => ({ pk: `sandbox#${tenantId}` });

export const sandboxStore = (table: string): SandboxStore => ({
  find: (tenantId) => readVersioned(table, keyOf(tenantId), SandboxState),
  put: (tenantId, state, options) => writeDocument(table, keyOf(tenantId), state, options),
});
