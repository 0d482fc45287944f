import { findDeployment } from '../../bin/operator/deployment.ts';
import { tenantAdministration } from '../../bin/operator/tenants.ts';
import { registerUser } from '../../local/engines/oidcUsers.ts';
import type { Role } from '../../schemas/roles.ts';
import type { Instance } from './instance.ts';
import type { Person } from './signIn.ts';

let people = 0;

/** The users of an instance: at its identity provider, and in its tenants. */
export const usersOf = async ({ dataDir, credentials }: Instance) => {
  const deployment = await findDeployment({ stack: undefined, dataDir });
  const administration = await tenantAdministration(deployment);
  // Loaded only now: the AWS clients read their endpoints when they are made.
  const { credentialWriter } = await import('../../functions/access/store.ts');
  const { commit } = await import('../../functions/shared/document.store.ts');
  const writer = credentialWriter(credentials.tables['access'] ?? '');

  const tenantOf = async (tenantId: string) => {
    const tenant = await administration.show(tenantId);
    if (tenant === null) throw new Error(`no demo tenant ${tenantId}`);
    return tenant;
  };
  return {
    /** Somebody who can sign in at the provider, and is nobody's user yet. */
    stranger: async (): Promise<Person> => {
      people += 1;
      const person = { email: `person-${people}@example.org`, password: `a long password ${people}` };
      await registerUser(dataDir, person);
      return person;
    },
    /** Makes a person a user of a tenant, or gives them another role. */
    employ: async ({ email }: Person, role: Role, tenantId = 'acme') =>
      administration.registerUser(await tenantOf(tenantId), email, role),
    remove: async ({ email }: Person, tenantId = 'acme') => {
      const { tag } = await tenantOf(tenantId);
      const found = await writer.user(tag, email);
      if (found === null) throw new Error(`${email} is no user`);
      const removed = { ...found.document, removed_at: new Date().toISOString() };
      const by = { claim: `test ${email}`, attempt: 1 };
      await commit([writer.putUser(tag, removed, { seen: found.revision, by })]);
    },
  };
};
