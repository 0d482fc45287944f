import type { RateLimitBudget } from '../../../../sdk/typescript/src/types.ts';
import { formatCount } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

/** How much of each rate limit is left right now. */
export const RateLimits = ({ budget }: { budget: RateLimitBudget }) => (
  <ul className="rows">
    {budget.classes.map(({ class: name, rate, limit, remaining }) => (
      <li key={name}>
        <div className="line">
          <strong>{wordFor(name)}</strong>
          <span className="num small">
            {formatCount(remaining)} of {formatCount(limit)} left
          </span>
        </div>
        <svg width="100%" height="6" aria-hidden="true">
          <rect width="100%" height="6" rx="3" fill="var(--sunken)" />
          <rect
            width={`${limit > 0 ? (remaining / limit) * 100 : 0}%`}
            height="6"
            rx="3"
            fill="var(--accent)"
          />
        </svg>
        <span className="sub num">refills by {formatCount(rate)} a second</span>
      </li>
    ))}
  </ul>
);
