import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import { getUnitCostsReport } from '../../../schemas/routes/insight/unitCosts.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithReport } from './report.ts';
import { sumUnitCosts } from './unitCosts/sumUnitCosts.ts';

export default operation(getUnitCostsReport, async (call) => {
  // 500 kB, which most reports do not need.
  const { readPrices, weightsFrom } = await import('./tokenPrices.ts');
  const { prices } = await readPrices(call.stores, call.caller);
  return respondWithReport(
    getUnitCostsReport,
    call,
    sumUnitCosts(weightsFrom(prices), call.caller.scopes.has(RECORDS_SCOPE)),
  );
});
