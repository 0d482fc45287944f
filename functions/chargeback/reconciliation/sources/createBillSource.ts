import { createBillSource } from '../../../../schemas/routes/chargeback/billSources.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { isSameAccount, newBillSource } from './billSource.ts';
import { billSourceResource } from './billSourceResource.ts';
import { toBillSource } from './toBillSource.ts';

const accountInUse = () =>
  new ProblemError(
    'CONFLICT',
    'There is a bill source that reads the same bills. Change it. To import several accounts of one provider, name the account of each source.',
  );

const hasNoBills = () =>
  new ProblemError('CONFLICT', 'This tenant is a sandbox. Its calls are synthetic and have no bills.');

export default operation(createBillSource, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  if (caller.tenant.sandbox === true) throw hasNoBills();
  const { document: source } = await billSourceResource(stores.billSourceWriter).create(
    call,
    async (id, { accounts }) => {
      const sealed = body.credential === undefined ? '' : await stores.sealCredential(body.credential, id);
      const created = newBillSource(body, { id, sealed, at: receivedAt });
      if (accounts.some((account) => isSameAccount(account, created))) throw accountInUse();
      return created;
    },
  );
  return reply(201, toBillSource(source, receivedAt, stores.importRoleArn), {
    location: `/api/v1/bill-sources/${source.id}`,
  });
});
