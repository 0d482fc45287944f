import { type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export const Card = ({ title, aside, className = '', children }: CardProps) => {
  const id = useId();
  return (
    <section className={`card ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
};
