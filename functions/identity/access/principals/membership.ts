import * as z from 'zod';

/** A tenant of a person. */
export const Membership = z.object({ tenant_id: z.string(), tenant_tag: z.string() });
export type Membership = z.infer<typeof Membership>;

/** The tenants of a person, in the order in which they added the person. A sign-in reads them by e-mail address. */
export const Memberships = z.array(Membership);

/** The tenants of a person after one of them added the person. */
export const joinTenant = (memberships: readonly Membership[], joined: Membership): Membership[] =>
  memberships.some(({ tenant_id }) => tenant_id === joined.tenant_id)
    ? [...memberships]
    : [...memberships, joined];

/** The tenants of a person after one of them removed the person. */
export const leaveTenant = (memberships: readonly Membership[], tenantId: string): Membership[] =>
  memberships.filter(({ tenant_id }) => tenant_id !== tenantId);
