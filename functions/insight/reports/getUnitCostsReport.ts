import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import { getUnitCostsReport } from '../../../schemas/routes/insight/unitCosts.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithReport } from './report.ts';
import { sumUnitCosts } from './unitCosts/sumUnitCosts.ts';

export default operation(getUnitCostsReport, async (call) => {
  // 500 kB, which most reports do not need.
  const { tokenWeights } = await import('./tokenWeights.ts');
  return respondWithReport(
    getUnitCostsReport,
    call,
    sumUnitCosts(tokenWeights, call.caller.scopes.has(RECORDS_SCOPE)),
  );
});
