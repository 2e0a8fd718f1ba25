ALTER TABLE "products" ADD COLUMN "id_handle" text;--> statement-breakpoint
CREATE INDEX "products_seller_id_handle" ON "products" USING btree ("seller_id","id_handle") WHERE id_handle is not null;