import { BILL_SOURCES_MAXIMUM } from '../../../../schemas/chargeback/billSources.ts';
import { tenantResource } from '../../../identity/audit/tenantResource.ts';
import type { BillSourceWriter } from './billSource.store.ts';
import { requireBillSource, StoredBillSource } from './billSource.ts';

export const billSourceResource = (sources: BillSourceWriter) =>
  tenantResource(
    {
      shape: StoredBillSource,
      name: 'bill source',
      idPrefix: 'bls',
      maximum: BILL_SOURCES_MAXIMUM,
      requireVisible: (_caller, found) => requireBillSource(found),
      configuration: ({ imports: _imports, health: _health, ...source }) => source,
    },
    sources,
  );
