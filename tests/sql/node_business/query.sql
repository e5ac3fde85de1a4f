SELECT busy_threads FROM node_business;
