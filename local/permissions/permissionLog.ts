import type { UsedPermission } from './authorizeCalls.ts';
import type { Permission } from './policy.ts';

/** The permissions that each function used since the start, by its logical id. */
export interface PermissionLog {
  record(functionId: string, used: UsedPermission): void;
  used(): Record<string, Permission[]>;
  /** One sentence for each permission that a function lacks. */
  denied(): string[];
}

/** `log` receives each denial once. */
export const permissionLog = (log: (line: string) => void): PermissionLog => {
  const used = new Map<string, Map<string, UsedPermission>>();
  const denials = new Set<string>();
  return {
    record(functionId, permission) {
      const { action, resource, isAllowed } = permission;
      const own = used.get(functionId) ?? new Map<string, UsedPermission>();
      used.set(functionId, own.set(`${action} ${resource}`, permission));
      const sentence = `${functionId} may not perform ${action} on ${resource}`;
      if (isAllowed || denials.has(sentence)) return;
      denials.add(sentence);
      log(`Access denied: ${sentence}. Its role has no statement that allows it.`);
    },
    used: () =>
      Object.fromEntries(
        [...used].map(([functionId, permissions]) => [
          functionId,
          [...permissions.values()].map(({ action, resource }) => ({ action, resource })),
        ]),
      ),
    denied: () => [...denials],
  };
};
