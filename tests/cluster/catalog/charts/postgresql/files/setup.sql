-- Any password will do: it comes from the environment and is quoted by psql.
\getenv database DATABASE
\getenv username USERNAME
\getenv password PASSWORD
\getenv admin POSTGRES_PASSWORD
SELECT format('CREATE ROLE %I LOGIN', :'username')
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'username') \gexec
ALTER ROLE :"username" PASSWORD :'password';
ALTER ROLE postgres PASSWORD :'admin';
SELECT format('CREATE DATABASE %I OWNER %I', :'database', :'username')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
