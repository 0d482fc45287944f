import { listAttributionVersions } from '../../../../schemas/routes/attribution/attribution.ts';
import { operation } from '../../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../../platform/http/pages/paging.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { requireResidency } from '../../../platform/tenancy/residency.ts';
import { readVersions, toRecordVersion } from '../recordVersions.ts';

export default operation(listAttributionVersions, (call) => {
  const { caller, parameters, stores } = call;
  const ulid = parameters['id'] ?? '';
  return respondWithPage(listAttributionVersions, call, async ({ after }, limit) => {
    // The version before the last one of the page says what changed.
    const versions = await readVersions(stores.ledger, caller.tenant, ulid, after, limit + 1);
    const [newest] = versions;
    if (newest === undefined && after === undefined) {
      throw new ProblemError('NOT_FOUND', 'Attribution record not found.');
    }
    if (newest !== undefined) requireResidency(newest.attribution.record, caller);
    const { items, resume } = toPage(versions, limit, ({ key }) => key);
    return { items: items.map((version, index) => toRecordVersion(version, versions[index + 1])), resume };
  });
});
