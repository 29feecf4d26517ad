-- Two roles for the database of the service: one that owns it and migrates, and one that runs the service and can change nothing but
-- rows. docs/deployment.md#roles-of-the-database says how to use it.
--
-- Run it in that database as an administrator of the server, before the first `migrate`, and again after each one: it adds what is missing,
-- and takes nothing away. It sets no passwords.

do $$
begin
  if not exists (select from pg_roles where rolname = 'property_network_owner') then
    create role property_network_owner login;
  end if;
  if not exists (select from pg_roles where rolname = 'property_network_app') then
    create role property_network_app login;
  end if;
  -- An administrator who is no superuser has to be a member of the role whose rights it gives away.
  if not pg_has_role(current_user, 'property_network_owner', 'member') then
    execute format('grant property_network_owner to %I', current_user);
  end if;
  execute format('alter database %I owner to property_network_owner', current_database());
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to property_network_app', current_database());
end
$$;

-- What `migrate` will make.
alter default privileges for role property_network_owner grant usage on schemas to property_network_app;
alter default privileges for role property_network_owner
  grant select, insert, update, delete on tables to property_network_app;
alter default privileges for role property_network_owner grant select, usage, update on sequences to property_network_app;
alter default privileges for role property_network_owner grant execute on functions to property_network_app;

-- What is there.
do $$
declare
  found record;
begin
  for found in select nspname as name from pg_namespace where nspname in ('public', 'graphile_worker') loop
    execute format('grant usage on schema %I to property_network_app', found.name);
    execute format('grant select, insert, update, delete on all tables in schema %I to property_network_app', found.name);
    execute format('grant select, usage, update on all sequences in schema %I to property_network_app', found.name);
    execute format('grant execute on all functions in schema %I to property_network_app', found.name);
  end loop;
  if to_regclass('public.schema_migrations') is not null then
    revoke insert, update, delete on public.schema_migrations from property_network_app;
  end if;
  -- The queue lets only its owner see its rows, unless a policy names others.
  for found in
    select c.oid::regclass as name from pg_class c
    where relrowsecurity and relnamespace = (select oid from pg_namespace where nspname = 'graphile_worker')
      and not exists (select from pg_policy where polrelid = c.oid and polname = 'property_network_app')
  loop
    execute format('create policy property_network_app on %s to property_network_app using (true) with check (true)', found.name);
  end loop;
end
$$;
