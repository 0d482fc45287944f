import type { SettingsInput } from '../../lib/settings.ts';

/** The settings of the stack that `npm start` runs. */
export const stackSettings = ({
  oidcIssuer,
  oidcClientId,
}: {
  readonly oidcIssuer?: string | undefined;
  readonly oidcClientId?: string | undefined;
}): SettingsInput => ({
  environment: 'local',
  notificationSender: 'notifications@attribution.example',
  oidcIssuer,
  oidcClientId,
});
