import { listBills } from '../../../../schemas/routes/chargeback/bills.ts';
import { operation } from '../../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../../platform/http/paging.ts';
import { importKeyOf } from './billImport.store.ts';

export default operation(listBills, (call) => {
  const { caller, stores } = call;
  return respondWithPage(listBills, call, async ({ after }, limit) => {
    const range = { after, descending: true, limit: limit + 1 };
    const entries = await stores.billImports.imports(caller.tenant.tenant_id, range);
    const { items, resume } = toPage(entries, limit, importKeyOf);
    return { items: items.map(({ ref: _ref, ...entry }) => entry), resume };
  });
});
