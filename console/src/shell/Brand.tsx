import { Pill } from '../components/Pill.tsx';

interface BrandProps {
  readonly tenant?: string;
  /** The tenant has synthetic data. */
  readonly isSandbox?: boolean;
}

export const Brand = ({ tenant, isSandbox = false }: BrandProps) => (
  <div className="brand">
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 22v-6M16 22V9M23 22v-3" stroke="var(--on-accent)" strokeWidth="3.5" strokeLinecap="round" />
    </svg>
    <span>
      Attribution
      {tenant !== undefined && <small>{tenant}</small>}
    </span>
    {isSandbox && <Pill tone="warn">Sandbox</Pill>}
  </div>
);
