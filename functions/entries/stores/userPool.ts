import { userInvitations } from '../../identity/users/userPool.aws.ts';

export const userPoolInvite = (id: string) => ({ invitations: userInvitations(id) });
