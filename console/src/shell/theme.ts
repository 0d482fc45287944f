import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const STORED = 'theme';
const listeners = new Set<() => void>();

const stored = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? 'system';

const apply = (): void => {
  const theme = stored();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
};

apply();

/** The colour scheme that the person chose on this device, and a switch to the next one. */
export const useTheme = (): [Theme, () => void] => {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
  const next = (): void => {
    localStorage.setItem(STORED, THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system');
    apply();
    for (const listener of listeners) listener();
  };
  return [theme, next];
};
