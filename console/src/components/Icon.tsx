const paths = {
  overview: 'M3 12.5 10 5l7 7.5M5.5 10.5V16h9v-5.5',
  explore: 'M4 16V9m4 7V4m4 12v-5m4 5V7',
  savings: 'M3.500 5 8 9.500l3-2.500 5.500 7M16.500 9.500V14H12',
  records: 'M4 5h12M4 10h12M4 15h7',
  budgets:
    'M10 3v14M13.5 6.200c-.4-1-1.700-1.700-3.500-1.700-2 0-3.500.9-3.500 2.400 0 3.400 7.200 1.700 7.200 5.300 0 1.500-1.700 2.500-3.700 2.500s-3.500-.8-3.700-2.200',
  anomalies: 'M3 13h3l2-7 3.500 9L14 9h3',
  quality: 'M3.500 16.500 16.500 3.500M7 16.500V13m5 3.500V9m4.500 7.500V6',
  coverage: 'M10 3l6 2.500v4.500c0 3.500-2.500 6-6 7-3.500-1-6-3.500-6-7V5.500z',
  reconciliation: 'M4 7h11l-3-3M16 13H5l3 3',
  exports: 'M10 3v9m0 0 3.500-3.500M10 12 6.500 8.500M4 15.500h12',
  webhooks:
    'M7 12.500 9.500 8A2.500 2.500 0 1 0 8 4M7 12.500A2.500 2.500 0 1 0 9 15h4.500a2.500 2.500 0 1 0 1.500-4.500L12.500 6.500',
  keys: 'M9 7.500a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0M10 10l-6 6m2-2 2 2',
  identity: 'M10 9.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4 16.500c.6-3 3-4.500 6-4.500s5.400 1.500 6 4.500',
  users:
    'M7.500 9a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400M2.500 15.500c.4-2.700 2.400-4 5-4s4.600 1.300 5 4M13 4a2.700 2.700 0 0 1 0 5M14.500 11.800c1.800.5 2.800 1.800 3 3.700',
  prices: 'M3.500 3.500h6.500l6.500 6.500-6.500 6.500-6.500-6.500zM7 7v.1',
  settings: 'M4 6h7m4 0h1M4 14h1m4 0h7M13 4v4M7 12v4',
  audit: 'M6 3h8v14H6zM8.500 7h3M8.500 10h3',
  notifications: 'M5.500 13.500V9a4.500 4.500 0 0 1 9 0v4.500L16 15H4zM8.500 17h3',
  menu: 'M3 6h14M3 10h14M3 14h14',
  close: 'M5 5l10 10M15 5 5 15',
  warn: 'M10 3.500 17.500 16.500h-15zM10 8v4m0 2v.1',
  info: 'M10 17.500a7.500 7.500 0 1 0 0-15 7.500 7.500 0 0 0 0 15M10 9.500V14m0-7.500v-.1',
  up: 'M10 16V4M5 9l5-5 5 5',
  down: 'M10 4v12m-5-5 5 5 5-5',
  right: 'M4 10h12m-5-5 5 5-5 5',
  back: 'M16 10H4m5-5-5 5 5 5',
  check: 'M4 10.500 8 14.500 16 6',
  cross: 'M5.500 5.500l9 9m0-9-9 9',
  dash: 'M5 10h10',
  copy: 'M7 7V4h9v9h-3M4 7h9v9H4z',
  out: 'M8 4H4v12h4M8 10h9m-3.500-3.500L17 10l-3.500 3.500',
  theme: 'M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14',
} as const;

export type IconName = keyof typeof paths;

/** Decoration only: the words beside it carry the meaning. */
export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);
