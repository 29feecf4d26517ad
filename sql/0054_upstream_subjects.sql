-- Who a person is at the OpenID provider with which they sign in. One subject for a person at each provider.

create table upstream_subjects (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);
