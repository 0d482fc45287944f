import { listBills } from '../../../schemas/routes/chargeback/bills.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { deliveryKeyOf } from './deliveries/bill.store.ts';
import { toDelivery } from './deliveries/toDelivery.ts';

export default operation(listBills, (call) => {
  const { caller, receivedAt, stores } = call;
  return respondWithPage(listBills, call, async ({ after }, limit) => {
    const range = { after, descending: true, limit: limit + 1 };
    const deliveries = await stores.bills.deliveries(caller.tenant.tenant_id, range);
    const { items, resume } = toPage(deliveries, limit, deliveryKeyOf);
    const listed = items.filter(({ state }) => state !== 'taken_back');
    return { items: listed.map((delivery) => toDelivery(delivery, receivedAt)), resume };
  });
});
