import { registerUser } from '../../local/engines/oidc/oidcUsers.ts';
import type { Role } from '../../schemas/identity/roles.ts';
import { findDeployment } from '../../tools/operator/deployment.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import type { Instance } from './instance.ts';
import { demoTenants } from './localService.ts';
import type { Person } from './signIn.ts';

let registered = 0;

/** Manages the users of an instance, at its identity provider and in its tenants. */
export const usersOf = async ({ dataDir, credentials }: Instance) => {
  const { acme } = demoTenants(credentials);
  const deployment = await findDeployment({ stack: undefined, dataDir });
  const administration = await tenantAdministration(deployment);
  const tenantOf = async (tenantId: string) => {
    const tenant = await administration.show(tenantId);
    if (tenant === null) throw new Error(`no demo tenant ${tenantId}`);
    return tenant;
  };
  return {
    /** Registers a person at the identity provider who is not a user of any tenant. */
    stranger: async (): Promise<Person> => {
      registered += 1;
      const person = { email: `person-${registered}@example.org`, password: `a long password ${registered}` };
      await registerUser(dataDir, person);
      return person;
    },
    /** Adds a person as a user of a tenant, or changes the role of that user. */
    employ: async ({ email }: Person, role: Role, tenantId = acme.tenant_id) =>
      administration.registerUser(await tenantOf(tenantId), email, role),
    remove: async ({ email }: Person, tenantId = acme.tenant_id) =>
      administration.removeUser(await tenantOf(tenantId), email),
  };
};
